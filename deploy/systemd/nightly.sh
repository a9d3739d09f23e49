#!/bin/sh
# Copies the database and checks the ledger, with the settings of the service. quantd-nightly.timer starts it.
set -eu
umask 077
folder=/var/lib/quantd-backups
mkdir -p "$folder"
file=$folder/$(date +%FT%H%M%S)
if [ -n "${DATABASE_URL_FILE:-}" ]; then url=$(cat "$DATABASE_URL_FILE"); else url=${DATABASE_URL:-}; fi
if [ -n "$url" ]; then
  file=$file.dump
  pg_dump --format=custom --no-owner --file="$file" "$url"
  # So that operators see the age of the copy.
  quantd admin note backup
else
  file=$file.db
  quantd backup "$file"
fi
quantd admin verify-ledger --json > "$file.check.json"
find "$folder" -type f -mtime +30 -delete
