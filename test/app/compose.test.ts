import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';

const sources = globSync('src/**/*.ts', { cwd: packageRoot }).map((file) => ({
  file,
  text: readFileSync(join(packageRoot, file), 'utf8'),
}));

/** The parameters of the constructor, split at the commas outside of brackets. */
function constructorParameters(text: string): string[] {
  const from = text.indexOf('constructor(', text.indexOf('@injectable()'));
  if (from < 0) return [];
  const parameters: string[] = [];
  let depth = 0;
  let parameter = '';
  for (const character of text.slice(from + 'constructor'.length)) {
    if ('([{<'.includes(character)) depth++;
    if (')]}>'.includes(character)) depth--;
    if (depth === 0) break;
    if (character === ',' && depth === 1) {
      parameters.push(parameter);
      parameter = '';
    } else if (!(character === '(' && depth === 1)) parameter += character;
  }
  return [...parameters, parameter].map((each) => each.trim()).filter(Boolean);
}

describe('the container', () => {
  it('has a token for every constructor parameter: one without a token would be undefined, without an error', () => {
    const injectables = sources.filter(({ text }) => /^@injectable\(\)/m.test(text));
    const bare = injectables.flatMap(({ file, text }) =>
      constructorParameters(text)
        .filter((parameter) => !/^@inject(All)?\(/.test(parameter))
        .map((parameter) => `${file}: ${parameter}`),
    );
    expect(bare).toEqual([]);
    expect(injectables.length).toBeGreaterThanOrEqual(7);
  });

  it('binds tokens in one folder, is resolved from in the entry points, and tsyringe is imported in one file', () => {
    const having = (pattern: RegExp) =>
      sources
        .filter(({ text }) => pattern.test(text))
        .map(({ file }) => file)
        .sort();
    expect(having(/from 'tsyringe'|import 'reflect-metadata'/)).toEqual(['src/di.ts']);
    expect(having(/\.(registerInstance|registerSingleton|register)\(/)).toEqual([
      'src/app/compose/dashboard.ts',
      'src/app/compose/pipeline.ts',
      'src/app/compose/service.ts',
      'src/app/compose/watch-service.ts',
    ]);
    expect(having(/container\.resolve\(/)).toEqual([
      'src/app/compose/dashboard.ts',
      'src/app/compose/pipeline.ts',
      'src/app/compose/watch-service.ts',
      'src/app/main.ts',
    ]);
  });
});
