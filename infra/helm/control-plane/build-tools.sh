#!/bin/bash
# Fetches and builds what run.mjs needs, once: kube-apiserver, kube-controller-manager, kube-scheduler, kwok and both Helms
# by Go (20 minutes and 6 GB of Go's caches on two cores), etcd and kubectl from Debian's packages. What is there stays.
# Tools end in ${INFRA_TOOLS:-~/.cache/jetton-analytics/infra-tools/bin}.
set -euo pipefail
tools=${INFRA_TOOLS:-$HOME/.cache/jetton-analytics/infra-tools/bin}
work=$(dirname "$tools")/build
kubernetes=1.36.0
staging=v0.36.0
mkdir -p "$tools" "$work"
export GOTOOLCHAIN=local CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false'

if [ ! -x "$tools/kube-scheduler" ]; then
  # `go install` refuses a module with replacements: a module of our own repeats its requirements.
  cd "$work"
  source=$(go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')
  {
    echo 'module tools'
    echo 'go 1.26.0'
    sed -n '/^require (/,/^)/p' "$source/go.mod"
    echo "require k8s.io/kubernetes v$kubernetes"
    grep -oE 'k8s.io/[a-z-]+ => \./staging' "$source/go.mod" | sed -E "s/ =>.*//; s/(.*)/replace \1 => \1 $staging/"
  } > go.mod
  cp "$source/go.sum" go.sum
  chmod u+w go.sum
  printf '//go:build tools\n\npackage tools\n\nimport (\n' > tools.go
  for part in kube-apiserver kube-controller-manager kube-scheduler; do
    printf '\t_ "k8s.io/kubernetes/cmd/%s"\n' "$part" >> tools.go
  done
  echo ')' >> tools.go
  go mod tidy
  version=k8s.io/component-base/version
  flags="-s -w -X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=36"
  for part in kube-apiserver kube-controller-manager kube-scheduler; do
    go build -o "$tools/" -ldflags "$flags" "k8s.io/kubernetes/cmd/$part"
  done
fi
install_go() { # name of the tool, module and version
  [ -x "$tools/$1" ] && return
  GOBIN=$work/bin go install -ldflags='-s -w' "$2"
  mv "$work/bin/$(basename "${2%@*}")" "$tools/$1"
}
install_go kwok sigs.k8s.io/kwok/cmd/kwok@v0.8.0
install_go helm4 helm.sh/helm/v4/cmd/helm@v4.3.1
install_go helm3 helm.sh/helm/v3/cmd/helm@v3.22.0

if [ ! -x "$tools/etcd" ] || [ ! -x "$tools/kubectl" ]; then
  # Static binaries of a newer suite, unpacked aside: nothing of the system is changed.
  cd "$work"
  mirror=$(grep -hoE '^URIs: +\S+/debian$|^deb +(\[[^]]*\] +)?\S+/debian ' /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2> /dev/null |
    grep -oE 'https?://\S+' | head -1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" > sid.list
  mkdir -p lists
  apt=(apt-get -o "Dir::Etc::sourcelist=$work/sid.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$work/lists"
    -o Dir::State::status=/dev/null -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
  "${apt[@]}" -qq update
  "${apt[@]}" -qq download etcd-server kubectl docker-compose promtool prometheus
  for package in ./*.deb; do dpkg-deb -x "$package" unpacked; done
  find unpacked -type f \( -name etcd -o -name kubectl -o -name docker-compose -o -name promtool -o -name prometheus \) -perm -u+x -exec cp {} "$tools/" \;
fi
ls "$tools"
