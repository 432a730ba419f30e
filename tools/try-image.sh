#!/usr/bin/env bash
# Builds the image, starts it beside its database as compose.yaml says, and asks whether it serves. Exit code 0 if it
# does, 1 if not, and 3 if there is nothing here that builds and starts images.
set -euo pipefail
cd "$(dirname "$0")/.."

if docker compose version >/dev/null 2>&1 && docker info >/dev/null 2>&1; then
  compose=(docker compose)
elif podman compose version >/dev/null 2>&1; then
  compose=(podman compose)
else
  echo 'the image is not tried: neither docker nor podman with compose runs here'
  exit 3
fi

secret() { node -p "require('node:crypto').randomBytes(24).toString('hex')"; }
FURLONG_DATABASE_PASSWORD=$(secret) FURLONG_SECRET=$(secret) FURLONG_CARD_KEY=$(secret) FURLONG_SMS=console
export FURLONG_DATABASE_PASSWORD FURLONG_SECRET FURLONG_CARD_KEY FURLONG_SMS
# A project of its own, so that volumes of an installation are not touched.
compose+=(--project-name "furlong-trial-$$")
trap '"${compose[@]}" down --volumes >/dev/null 2>&1 || true' EXIT

"${compose[@]}" build
"${compose[@]}" up --detach
base=http://127.0.0.1:4170
for ((second = 0; second < 180; second++)); do
  if curl --silent --fail "$base/readyz" >/dev/null; then break; fi
  sleep 1
done

ready=$(curl --silent --show-error --fail "$base/readyz")
[[ $ready == *'"database":"postgresql"'* && $ready == *'"migrations":"current"'* ]] || {
  echo "the image is not ready: $ready"
  "${compose[@]}" logs --tail 50
  exit 1
}
curl --silent --show-error --fail "$base/" | grep --quiet '<div id="root">'
# The health check of the image itself, and what must not be in it.
"${compose[@]}" exec -T furlong sh -c 'test "$(id -un)" = node && test ! -e tests && test ! -e src && pg_dump --version'
node_check=$(sed -n 's/^HEALTHCHECK .*CMD \["node", "-e", "\(.*\)"\]$/\1/p' Dockerfile)
"${compose[@]}" exec -T furlong node -e "$node_check"
furlong() { "${compose[@]}" exec -T "$@" furlong node dist/program/cli.js "${command[@]}"; }
# What the image's own client writes is restored by it, into another database of the same server.
command=(backup /data/backup) && furlong
"${compose[@]}" exec -T database createdb --username furlong restored
restored="postgres://furlong:$FURLONG_DATABASE_PASSWORD@database/restored"
command=(restore /data/backup) && furlong --env "DATABASE_URL=$restored" --env FURLONG_DATA=/tmp/restored
count() { "${compose[@]}" exec -T database psql --username furlong --dbname "$1" --tuples-only --command 'select count(*) from race'; }
[[ $(count furlong) == "$(count restored)" ]] || { echo 'the backup was not restored whole'; exit 1; }
command=(doctor --json)
# It finds that nothing is set up for payment.
{ furlong || true; } | grep --quiet '"pg_dump and the server are of version'
echo 'the image was built, serves the site, and restores its own backup'
