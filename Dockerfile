# tools/try-image.sh builds and starts it where a container engine runs; none does where it was written.
# Debian 13 has the client of the PostgreSQL that compose.yaml runs: tests/unit/container-files.test.ts compares them.
FROM node:22.23.2-trixie-slim@sha256:7b8a0c89c54499bee567618f96578e1a12a800f062fbdbfd1fb6a443fa6f6284 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-fund --no-audit
COPY . .
RUN node --input-type=module -e "const { buildSite } = await import('./tools/lib/site.mjs'); buildSite()"
RUN node --input-type=module -e "const { buildProgram } = await import('./tools/lib/program.mjs'); buildProgram()"
RUN npm prune --omit=dev --no-fund --no-audit
RUN node tools/licences.mjs dist/licences.txt

FROM node:22.23.2-trixie-slim@sha256:7b8a0c89c54499bee567618f96578e1a12a800f062fbdbfd1fb6a443fa6f6284
LABEL org.opencontainers.image.title="Furlong" org.opencontainers.image.version="0.1.0" org.opencontainers.image.licenses="MIT"
# pg_dump and pg_restore, for `admin -- backup`: of the server's own version, which they must be.
RUN apt-get update -qq && apt-get install -qq -y --no-install-recommends postgresql-client-17 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4170 FURLONG_DATA=/data
COPY --from=build /app/package.json ./
COPY --from=build /app/LICENSE ./
COPY --from=build /app/dist/licences.txt ./licences.txt
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/server/migrations ./server/migrations
COPY --from=build /app/locales ./locales
COPY --from=build /app/dist/program ./dist/program
COPY --from=build /app/dist/site ./dist/site
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4170
HEALTHCHECK --start-period=120s CMD ["node", "-e", "fetch('http://127.0.0.1:4170/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/program/cli.js", "serve", "--site", "dist/site"]
