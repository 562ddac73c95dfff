# shellcheck shell=bash
# What makes objects of the manifests. To be sourced from the top of the checkout.

kubernetes=packaging/kubernetes
folder=build/kubernetes
mkdir -p $folder

# quiet COMMAND…: what it says is told only when it fails.
quiet() {
	"$@" >$folder/said 2>&1 </dev/null || { echo "exit code $? of: $*" && tail -n 20 $folder/said; }
}

# The newest minor versions of the registry's, in a folder of its own.
get_modules() {
	mkdir -p $folder/npm
	cp tests/packaging/kubernetes/*.{js,json} $folder/npm/
	quiet npm --prefix $folder/npm install --silent --no-audit --no-fund
}

# Debian's own, unpacked and never installed: a newer kubectl may be there already.
get_kubectl() {
	[ ! -x $folder/kubectl ] || return 0
	rm -rf $folder/deb
	mkdir -p $folder/deb
	(cd $folder/deb && apt-get -q -o APT::Sandbox::User=root download kubernetes-client) \
		>$folder/said 2>&1 || cat $folder/said
	dpkg-deb -x $folder/deb/*.deb $folder/deb
	mv $folder/deb/usr/bin/kubectl $folder/
}

# As a list, in JSON.
to_json() {
	node $folder/npm/json.js
}

# base_objects: of the kustomization, in YAML.
base_objects() {
	$folder/kubectl kustomize $kubernetes/base
}
