# shellcheck shell=bash
# Make objects from the manifests. To be sourced from the top of the checkout.

kubernetes=packaging/kubernetes
folder=build/kubernetes
mkdir -p $folder

# quiet COMMAND…: print the command's output only if the command fails.
quiet() {
	"$@" >$folder/said 2>&1 </dev/null || { echo "exit code $? of: $*" && tail -n 20 $folder/said; }
}

# Install the registry's newest minor versions in a separate directory.
get_modules() {
	mkdir -p $folder/npm
	cp tests/packaging/kubernetes/*.{js,json} $folder/npm/
	quiet npm --prefix $folder/npm install --silent --no-audit --no-fund
}

# Unpack Debian's kubectl and never install it: the host may have a newer one.
get_kubectl() {
	[ ! -x $folder/kubectl ] || return 0
	rm -rf $folder/deb
	mkdir -p $folder/deb
	(cd $folder/deb && apt-get -q -o APT::Sandbox::User=root download kubernetes-client) \
		>$folder/said 2>&1 || cat $folder/said
	dpkg-deb -x $folder/deb/*.deb $folder/deb
	mv $folder/deb/usr/bin/kubectl $folder/
}

# to_json: turn YAML into a list in JSON.
to_json() {
	node $folder/npm/json.js
}

# base_objects: print the objects of the kustomization, in YAML.
base_objects() {
	$folder/kubectl kustomize $kubernetes/base
}
