import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const source = (path: string): string => fileURLToPath(new URL(`../server/${path}.ts`, import.meta.url))

/** Builds the programs of the server into `dist/program-new`; packages are loaded from `node_modules`. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: fileURLToPath(new URL('../dist/program-new', import.meta.url)),
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      // As in `server/program.ts`.
      input: {
        cli: source('cli'),
        'job-thread': source('jobs/job-thread'),
        'analytics-process': source('analytics/analytics-process'),
        'picture-process': source('services/picture-process'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
