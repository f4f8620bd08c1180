import { expect, it } from 'vitest';
import { aWorldWith } from '../cli/recorded-world.ts';
import { fencesOf, readPage } from './markdown.ts';

const PAGE = readPage('docs/rules.md');
const section = PAGE.slice(PAGE.indexOf('## Labels'), PAGE.indexOf('## Before a change counts'));

it('docs/rules.md shows the output of the label commands', async () => {
  const file = /`outcomes\.csv`:\n\n```csv\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  const session = fencesOf(section).find(({ text }) => text.startsWith('$ postern'))?.text ?? '';
  const shown = session.split(/^\$ postern /m).slice(1);
  expect(shown).toHaveLength(2);

  const world = await aWorldWith({ id: 'chk_1', canonical: 'janedoe@gmail.com' });
  world.write('outcomes.csv', file);
  for (const part of shown) {
    const [command = '', ...lines] = part.trimEnd().split('\n');
    const { stdout } = await world.postern(command.split(' '));
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
  }
});
