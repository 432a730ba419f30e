import { join } from 'node:path'
import { defineConfig } from 'vite'
import { PROGRAMS, ROOT } from '../server/process/program.ts'

/**
 * Packages that are loaded from `node_modules`: native modules, packages that find files beside their own, and those that
 * only a server, a bucket or compressed files need. All others are part of the programs, because finding and reading their
 * hundreds of files took a third of the time of a command.
 */
const EXTERNAL = [
  '@aws-sdk/client-s3',
  '@duckdb/node-api',
  '@electric-sql/pglite',
  '@fastify/compress',
  '@fastify/formbody',
  '@fastify/helmet',
  '@fastify/multipart',
  '@fastify/rate-limit',
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@fastify/websocket',
  '@node-rs/argon2',
  'fastify',
  'fs-native-extensions',
  'sharp',
  'stripe',
  'unbzip2-stream',
]

/** Builds the programs of the server into `dist/program-new`. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external: EXTERNAL },
  build: {
    ssr: true,
    outDir: join(ROOT, 'dist/program-new'),
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(
        Object.entries(PROGRAMS).map(([name, source]) => [name, join(ROOT, 'server', source)]),
      ),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
})
