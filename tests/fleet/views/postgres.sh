# shellcheck shell=bash
# A private PostgreSQL: in a temporary directory, as an unprivileged user, on a unix socket.
# To be sourced; end with `postgres_stop`.

postgres_directory=

# as_postgres COMMAND…: run the command unprivileged, as PostgreSQL refuses to run as root.
as_postgres() {
	local drop=()
	[ "$(id -u)" -ne 0 ] || drop=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
	(cd / && PATH=$(echo /usr/lib/postgresql/*/bin):$PATH "${drop[@]}" "$@")
}

# C.UTF-8 compares text by its bytes, as the other engines do. No data must survive a power failure.
postgres_start() {
	as_postgres initdb -D "$postgres_directory/data" --no-sync --username=fleet --auth=trust \
		--encoding=UTF8 --locale=C.UTF-8 >"$postgres_directory/log"
	as_postgres pg_ctl -D "$postgres_directory/data" --silent -w -l "$postgres_directory/data/log" \
		-o "-k $postgres_directory -c listen_addresses= -c fsync=off" start
}

# postgres_run OPTION…: run SQL from standard input.
postgres_run() {
	as_postgres psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --host="$postgres_directory" \
		--username=fleet "$@"
}

postgres_stop() {
	[ ! -f "$postgres_directory/data/postmaster.pid" ] ||
		as_postgres pg_ctl -D "$postgres_directory/data" --silent -m immediate stop
	rm -rf "$postgres_directory"
}

postgres_directory=$(mktemp -d)
[ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$postgres_directory"
