import type { Plugin } from 'vite';

const PACKAGE = '@tabler/icons-react';
const IMPORT = new RegExp(`import \\{([^}]*)\\} from '${PACKAGE}';`, 'g');

/** Imports each icon from its own module: the package's index exports 6,000 icons, which took two thirds of a build. */
export function oneModuleAnIcon(): Plugin {
  return {
    name: 'postern:one-module-an-icon',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { code: PACKAGE, id: /\/dashboard\/src\// },
      handler: (code) => ({
        code: code.replaceAll(IMPORT, (_, names: string) => oneByOne(names)),
        map: null,
      }),
    },
  };
}

function oneByOne(names: string): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => `import ${name} from '${PACKAGE}/dist/esm/icons/${name}.mjs';`)
    .join(' ');
}
