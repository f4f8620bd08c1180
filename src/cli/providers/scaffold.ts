import { KIT_VERSION } from '../../provider-kit/index.ts';
import { countingSources } from './scaffold-counting.ts';
import { localSources } from './scaffold-local.ts';
import { networkSources } from './scaffold-network.ts';

export const KINDS = ['local', 'network', 'counting'] as const;
export type Kind = (typeof KINDS)[number];

/** What tells one kind of provider from another: its code, and the cases that it is tested with. */
export interface Sources {
  readonly description: string;
  readonly index: string;
  readonly cases: string;
}

const SOURCES: Readonly<Record<Kind, (id: string) => Sources>> = {
  local: localSources,
  network: networkSources,
  counting: countingSources,
};

/** Every file of a new provider but its README, by name. */
export function scaffold(id: string, kind: Kind): Readonly<Record<string, string>> {
  const { description, index, cases } = SOURCES[kind](id);
  return {
    'index.ts': index,
    'cases.ts': cases,
    'index.test.ts': TEST,
    'package.json': `${JSON.stringify(manifestOf(id, description), null, 2)}\n`,
    'tsconfig.json': TSCONFIG,
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
  };
}

export function packageNameOf(id: string): string {
  return `postern-provider-${id.replaceAll('_', '-')}`;
}

function manifestOf(id: string, description: string) {
  const range = `^${KIT_VERSION}`;
  return {
    name: packageNameOf(id),
    version: '0.1.0',
    description,
    license: 'UNLICENSED',
    keywords: ['postern-provider'],
    type: 'module',
    exports: { types: './dist/index.d.ts', default: './dist/index.js' },
    files: ['dist'],
    scripts: { build: 'tsc', test: 'vitest run', prepack: 'npm run build' },
    // The service has the kit: it is checked, and need not be installed beside the package.
    peerDependencies: { '@postern/provider-kit': range },
    peerDependenciesMeta: { '@postern/provider-kit': { optional: true } },
    devDependencies: { '@postern/provider-kit': range, typescript: '>=5.9', vitest: '>=3' },
  };
}

const TEST = `import { runContract } from '@postern/provider-kit/vitest';
import cases from './cases.ts';
import provider from './index.ts';

runContract(provider, cases);
`;

/** What node can run as it lies, so that a folder and the package behave alike. */
const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "rewriteRelativeImportExtensions": true,
    "declaration": true,
    "skipLibCheck": true,
    "rootDir": ".",
    "outDir": "dist"
  },
  "files": ["index.ts"]
}
`;
