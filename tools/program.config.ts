import { join } from 'node:path'
import { defineConfig } from 'vite'
import { PROGRAMS, ROOT } from '../server/program.ts'

/** Builds the programs of the server into `dist/program-new`; packages are loaded from `node_modules`. */
export default defineConfig({
  publicDir: false,
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
