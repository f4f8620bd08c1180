import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { oneModuleAnIcon } from './one-module-an-icon.ts';
import { precompress } from './precompress.ts';

const here = import.meta.dirname;
/** Where `npm run dashboard` finds the service that answers the API. */
const SERVICE = process.env.POSTERN_URL ?? 'https://localhost:8443';

export default defineConfig({
  root: here,
  plugins: [oneModuleAnIcon(), react(), colorSchemeFirst(), precompress()],
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
  },
  server: {
    // The session's cookie and the check of the origin hold for the service's own address.
    proxy: {
      '/dashboard/api': { target: SERVICE, changeOrigin: true, secure: false, headers: { origin: SERVICE } },
    },
  },
});

/** Puts color-scheme.js, hashed like the rest, before everything else of the page. */
function colorSchemeFirst(): Plugin {
  const source = readFileSync(join(here, 'color-scheme.js'), 'utf8');
  let reference: string | undefined;
  return {
    name: 'postern:color-scheme-first',
    buildStart() {
      if (this.environment.mode !== 'build') return;
      reference = this.emitFile({ type: 'asset', name: 'color-scheme.js', source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        if (bundle === undefined)
          return [{ tag: 'script', attrs: { src: '/color-scheme.js' }, injectTo: 'head-prepend' }];
        const file = Object.values(bundle).find(({ fileName }) =>
          /^assets\/color-scheme-.*\.js$/.test(fileName),
        );
        if (reference === undefined || file === undefined) throw new Error('color-scheme.js was not emitted');
        return [{ tag: 'script', attrs: { src: `/${file.fileName}` }, injectTo: 'head-prepend' }];
      },
    },
  };
}
