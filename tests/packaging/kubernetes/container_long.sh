#!/usr/bin/env bash
# Tests of the Containerfile's image: its content, and its work on a node as the DaemonSet runs it.
# Debian's buildah builds it on a Debian from mmdebstrap; Debian's crun runs it on a real kernel.
# Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=packaging/chroot.sh
. packaging/chroot.sh
# shellcheck source=tests/packaging/kubernetes/lib.sh
. tests/packaging/kubernetes/lib.sh

file=$kubernetes/Containerfile
debian=$folder/debian.tar
store=$PWD/$folder/store
image=localhost/losslessctl:test

# Every file system supports the storage driver vfs.
container() {
	buildah --root "$store" --runroot "$store/run" --storage-driver vfs "$@"
}

clean_up() {
	[ ! -e "$store" ] || container umount --all >/dev/null 2>&1 || true
	rm -rf "$store"
}

# Make a stand-in for the registry's debian:12, with this host's configuration of the mirror.
a_debian() {
	local base
	[ -e $debian ] || quiet chroot_make $debian bookworm --variant=minbase
	base=$(container from scratch)
	quiet container add --quiet "$base" $debian /
	quiet container commit --quiet "$base" docker.io/library/debian:12
	container rm "$base" >/dev/null
}

it_builds() {
	quiet container build --isolation chroot --pull-never --file $file --tag $image .
}

unpack() {
	local it place
	it=$(container from --pull-never $image)
	place=$(container mount "$it")
	rm -rf $folder/image
	cp -a "$place" $folder/image
	container rm "$it" >/dev/null
}

# Compare the image with the libraries of the program, by their requested names.
only_what_it_needs() {
	unpack
	diff <(find $folder/image ! -type d -printf '%f\n' | sort) <({
		echo losslessctl
		chroot $folder/image /lib64/ld-linux-x86-64.so.2 --list /usr/sbin/losslessctl |
			awk '!/vdso/ { sub(".*/", "", $1); print $1 }'
	} | sort)
	[ "$(du -sm $folder/image | cut -f1)" -le 8 ] || du -sm $folder/image
}

it_is_the_program() {
	local version
	version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
	[ "$(chroot $folder/image /usr/sbin/losslessctl --version)" = "losslessctl $version" ] ||
		echo 'it tells another version'
	container inspect --type image $image | jq -r '.OCIv1.config | select(.Entrypoint !=
		["/usr/sbin/losslessctl"] or .Cmd != ["--help"]) | tojson'
	grep -q "image: losslessctl:$version\$" $kubernetes/base/daemonset.yaml ||
		echo 'the DaemonSet names another version'
	grep -q "^appVersion: $version\$" $kubernetes/chart/Chart.yaml ||
		echo 'the chart names another version'
}

# Write the runtime's configuration, whose seccomp filter logs each denial to the kernel's log.
for_the_runtime() {
	base_objects | to_json | jq '.[] | select(.kind == "DaemonSet")' | jq --arg name agent \
		--argjson entrypoint '["/usr/sbin/losslessctl"]' \
		--argjson sources '{"policy": "/run/pod/policy"}' \
		--slurpfile seccomp /usr/share/containers/seccomp.json \
		-f tests/packaging/kubernetes/oci.jq |
		jq '.linux.seccomp.flags = ["SECCOMP_FILTER_FLAG_LOG"]' >$folder/agent.json
}

on_a_node() {
	get_modules
	get_kubectl
	for_the_runtime
	tests/vm/run --kernel "$1" --timeout 900 -- tests/packaging/kubernetes/guest >$folder/guest.tap 2>&1 ||
		grep -v '^ok' $folder/guest.tap
	[ "$(grep -c '^ok' $folder/guest.tap)" -ge 14 ] || echo 'there are less than 14 tests'
}

trap clean_up EXIT
clean_up
it "a Debian to build on" a_debian
it "it builds" it_builds
it "there is the program, what it is linked with, and nothing else" only_what_it_needs
it "it is this program, and the manifests name its version" it_is_the_program
for kernel in 6.1 6.12; do
	it "it works as the DaemonSet runs it (tests/packaging/kubernetes/guest), on Linux $kernel" \
		on_a_node $kernel
done
tap_end
