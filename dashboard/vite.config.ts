import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { beforeTheApp } from './before-the-app.ts';
import { documents } from './documents/documents-plugin.ts';
import { oneModuleAnIcon } from './one-module-an-icon.ts';
import { oneSheetAComponent } from './one-sheet-a-component.ts';
import { precompress } from './precompress.ts';

const here = import.meta.dirname;
/** Where `npm run dashboard` finds the service that answers the API. */
const SERVICE = process.env.POSTERN_URL ?? 'https://localhost:8443';

/** Icons and the small parts that pages share, with their dependencies. Most charts and the number field are large and stay out. */
const SMALL_AND_SHARED =
  /@tabler\/icons-react\/|dashboard\/src\/(api|format|ui\/(?!number-field)[^/]+$|ui\/charts\/(sparkline|horizontal-bars))/;

/** Overlays, tables and fields: not needed before the first figures. */
const OVERLAYS = new RegExp(
  [
    '@floating-ui/|@mantine/core/esm/.*/(Floating|get-context-item-index|get-ref-prop|get-transition-props)/',
    '@mantine/core/(esm/components|styles)/(Popover|Tooltip|Menu|Modal|ModalBase|Table|ScrollArea|Input|InputBase|TextInput|PasswordInput|FocusTrap|Checkbox/CheckIcon|Radio/RadioIcon)[/.](?!utils/)',
    'dashboard/src/(ui/(dialog|confirm-dialog|data-table|new-password-input|snippet|code-samples|form-fields)|format/code-samples|shell/signed-out-layout)',
  ].join('|'),
);

export default defineConfig({
  root: here,
  plugins: [
    oneModuleAnIcon(),
    oneSheetAComponent(),
    react(),
    documents(here),
    beforeTheApp(here),
    precompress(),
  ],
  build: {
    outDir: join(here, '../dist/dashboard'),
    emptyOutDir: true,
    manifest: true,
    // The licence texts of what is bundled, which must go along with it; scripts/release.js lists these packages.
    license: { fileName: '.vite/license.json' },
    // The first versions that know `light-dark()`: spring 2024.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The size of the first load is held by test/dashboard/size.test.ts.
    chunkSizeWarningLimit: 1000,
    // Assets inlined as data: URLs would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Apart from `common`, which each page loads before its first figures.
            {
              name: 'overlays',
              test: OVERLAYS,
              minShareCount: 2,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // One file in place of some twenty of less than a kilobyte, each of which would cost a request.
            { name: 'common', test: SMALL_AND_SHARED, minShareCount: 2 },
            // Short texts that link to each other.
            { name: 'decisions', test: /virtual:documents\/text\/decisions\// },
            { name: 'providers-docs', test: /virtual:documents\/text\/providers\// },
          ],
        },
      },
    },
  },
  server: {
    // The session cookie and the origin check are bound to the service's own address.
    proxy: {
      '/dashboard/api': { target: SERVICE, changeOrigin: true, secure: false, headers: { origin: SERVICE } },
    },
  },
});
