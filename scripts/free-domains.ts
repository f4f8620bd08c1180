// Compiles providers/free-provider/data/domains.txt: the domains of the package email-providers, corrected by domains.yaml beside
// it, less what the lists of disposable domains name. To be run after a change of one of these; a test holds that it was.
import { writeFileSync } from 'node:fs';
import { compileFreeDomains, loadCorrections } from '../providers/free-provider/compile.ts';

const text = compileFreeDomains(loadCorrections());
writeFileSync(new URL('../providers/free-provider/data/domains.txt', import.meta.url), text);
console.log(text.split('\n', 1)[0]);
