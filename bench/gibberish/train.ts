// Trains the model of the provider `gibberish` (providers/gibberish/data/trigrams.json) on names and words of public
// packages, and writes the held-back names that its tests use (test/bench/gibberish/held-back-names.tsv).
// `node bench/gibberish/train.ts` writes both; `--check` writes nothing and exits with 1 where one is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ModelFile, SYMBOLS } from '../../providers/gibberish/model.ts';
import { installPeers } from '../install-peers.ts';
import { root } from '../support/paths.ts';
import { randomFrom } from '../support/random.ts';
import { drawerOf } from './drawer.ts';
import { sampleOf } from './held-back-names.ts';
import { countTrigrams } from './trigrams.ts';

const MODEL = join(root, 'providers/gibberish/data/trigrams.json');
const NAMES = join(root, 'test/bench/gibberish/held-back-names.tsv');
/** More samples change the costs no more than another seed does. */
const SAMPLES = 1_500_000;
const SEED = 20_261_121;

installPeers();
const { readLanguages, readWords, TRAINED_ON } = await import('./languages.ts');
const languages = readLanguages();
const draw = drawerOf(languages, readWords(), randomFrom(SEED));
const costs = countTrigrams(draw, SAMPLES);
const trainedOn = TRAINED_ON.map((name) => {
  const { version, license } = JSON.parse(
    readFileSync(join(root, 'bench/node_modules', name, 'package.json'), 'utf8'),
  );
  return { package: name, version, licence: license };
});
const modelOf = (date: string): string => {
  const file: ModelFile = {
    description:
      'Cost of each symbol after two others in local parts of people, in sixteenths of a nat; see SOURCE.md.',
    date,
    trained_on: trainedOn,
    costs: Array.from({ length: SYMBOLS }, (_, first) =>
      Buffer.from(costs.subarray(first * SYMBOLS ** 2, (first + 1) * SYMBOLS ** 2)).toString('base64'),
    ),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
};

const dateBefore = existsSync(MODEL) ? (JSON.parse(readFileSync(MODEL, 'utf8')) as ModelFile).date : '';
const isSame = (file: string, text: string) => existsSync(file) && readFileSync(file, 'utf8') === text;
const outdated = [
  {
    file: MODEL,
    text: modelOf(new Date().toISOString().slice(0, 10)),
    isCurrent: isSame(MODEL, modelOf(dateBefore)),
  },
  { file: NAMES, text: sampleOf(languages), isCurrent: isSame(NAMES, sampleOf(languages)) },
].filter(({ isCurrent }) => !isCurrent);
for (const { file, text } of outdated) {
  if (process.argv.includes('--check')) {
    console.error(`${file} is not what its packages come to: run node bench/gibberish/train.ts`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}
if (outdated.length === 0) console.log('up to date');
