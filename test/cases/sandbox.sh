#!/bin/bash
# Runs one command of a case as root in private mount, host-name and network namespaces; nothing but OUT keeps what it writes.
# usage: sandbox.sh -c CASE_DIR [-o OUT_DIR] [-H HOST_NAME] [-p PREPARE_SCRIPT] [-E "ASSIGNMENTS"] -- COMMAND...
#  - /etc/kubernetes and /var/lib/kubelet are empty; what /etc/kubernetes holds in the end is copied to OUT
#  - CASE_DIR is visible as /tmp/case and cannot be written
#  - one interface with 192.0.2.10/24 and 2001:db8::10/64 and default routes for both; nothing can be reached
# Exit codes 97 to 99 are of the sandbox: the preparation failed, a wrong option, a mount failed.
HOST=node-a; OUT=; CASE=; PREPARE=; ASSIGNMENTS=
while [ "$1" != "--" ]; do
  case "$1" in
  -c) CASE=$2 ;;
  -o) OUT=$2 ;;
  -H) HOST=$2 ;;
  -p) PREPARE=$2 ;;
  -E) ASSIGNMENTS=$2 ;;
  *) echo "sandbox: no such option: $1" >&2; exit 98 ;;
  esac
  shift 2
done
shift
export HOST OUT CASE PREPARE ASSIGNMENTS
mkdir -p /tmp/case /etc/kubernetes /var/lib/kubelet
exec unshare --mount --uts --net bash -c '
mount -t tmpfs none /etc/kubernetes && mount -t tmpfs none /var/lib/kubelet || exit 99
mount --bind "$CASE" /tmp/case && mount -o remount,bind,ro /tmp/case || exit 99
printf %s "$HOST" > /proc/sys/kernel/hostname
ip link set lo up && ip link add veth0 type veth peer name veth1 || exit 99
ip addr add 192.0.2.10/24 dev veth0; ip -6 addr add 2001:db8::10/64 dev veth0 nodad
ip link set veth0 up; ip link set veth1 up
ip route add default via 192.0.2.1 dev veth0; ip -6 route add default via 2001:db8::1 dev veth0
for v in $(env | sed -n "s/^\([A-Za-z_]*[pP][rR][oO][xX][yY]\)=.*/\1/p"); do unset "$v"; done
eval "$ASSIGNMENTS"; umask "${UMASK:-022}"
if [ -n "$PREPARE" ]; then bash -e "$PREPARE" || { echo "sandbox: the preparation failed" >&2; exit 97; }; fi
cd /; timeout 60 "$@"; code=$?
if [ -n "$OUT" ]; then rm -rf "$OUT"; mkdir -p "$OUT"; cp -a /etc/kubernetes/. "$OUT/"; fi
exit $code' bash "$@"
