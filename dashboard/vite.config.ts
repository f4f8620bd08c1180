import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { beforeTheApp } from './before-the-app.ts';
import { oneModuleAnIcon } from './one-module-an-icon.ts';
import { precompress } from './precompress.ts';

const here = import.meta.dirname;
/** Where `npm run dashboard` finds the service that answers the API. */
const SERVICE = process.env.POSTERN_URL ?? 'https://localhost:8443';

/** Icons, and what pages share besides charts, with what that is made of. */
const SMALL_AND_SHARED = /@tabler\/icons-react\/|dashboard\/src\/(api|format|ui\/[^/]+$)/;

export default defineConfig({
  root: here,
  plugins: [oneModuleAnIcon(), react(), beforeTheApp(here), precompress()],
  build: {
    outDir: join(here, '../dist/dashboard'),
    emptyOutDir: true,
    manifest: true,
    // The texts that must go along with what is bundled; scripts/release.js counts what they name.
    license: { fileName: '.vite/license.json' },
    // The first of each that know `light-dark()`: spring 2024.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The size of the first load is held by test/dashboard/size.test.ts.
    chunkSizeWarningLimit: 1000,
    // Inlined as data: URLs they would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file in place of some twenty of less than a kilobyte, each of which would cost a request.
            { name: 'common', test: SMALL_AND_SHARED, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    // The session's cookie and the check of the origin hold for the service's own address.
    proxy: {
      '/dashboard/api': { target: SERVICE, changeOrigin: true, secure: false, headers: { origin: SERVICE } },
    },
  },
});
