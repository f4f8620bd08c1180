import { Argument, type Command } from 'commander';
import { isPostgresUrl } from '../lib/service-url.ts';
import { counted } from '../lib/statistics.ts';
import { isoTime } from '../lib/time.ts';
import { lockData } from '../storage/file-lock.ts';
import { RevocationLog } from '../storage/revocation-log.ts';
import { replaceSecret, SECRET_NAMES, type SecretName } from '../storage/secret-store.ts';
import { askPostgres } from './doctor/machine-and-servers.ts';
import { loadSettings, noteErased, type StorageSession, withStorage } from './open-session.ts';
import { addCommand } from './options.ts';
import { CannotRun, type Shell } from './shell.ts';

/** Sorts after the time of every record. */
const END_OF_TIME = '9999';

export function addCommands(group: Command, shell: Shell): void {
  addCommand(group, 'replace', 'make a new secret where the right one is lost')
    .addArgument(new Argument('<secret>', 'the key to replace').choices(SECRET_NAMES))
    .option('--forget-old-records', 'of hmac: erase all records and labels that only the lost key could find')
    .action((name: SecretName, { forgetOldRecords }) => replace(shell, name, forgetOldRecords));
}

/** Refused while a service runs: the service would go on with the key that it has read. */
async function replace(shell: Shell, name: SecretName, forgetOldRecords?: boolean): Promise<void> {
  const isHmac = name === 'hmac';
  if (forgetOldRecords && !isHmac) throw new CannotRun('--forget-old-records goes with hmac alone');
  const { config } = await loadSettings(shell);
  const isFile = !isPostgresUrl(config.storage.url);
  if (!isFile) {
    // Asked before this command opens connections of its own, which would count.
    const { others } = await askPostgres(config);
    if (others > 0) {
      throw new CannotRun(
        `${counted(others, 'connection')} of Postern to the database: stop every instance first`,
      );
    }
  }
  const work = async (session: StorageSession) => {
    const { storage } = session;
    const { checks, labels } = storage;
    using _lock = isFile ? lockData({ dataDir: config.dataDir, database: config.storage.url }) : null;
    if (isHmac && !forgetOldRecords) {
      const { atMost } = await checks.extent();
      throw new CannotRun(
        `no record could be found by its address under a new key: --forget-old-records erases all (about ${atMost}), and the labels of people. Put the right key back instead where there is one.`,
      );
    }
    if (isHmac && isFile)
      await new RevocationLog(config.dataDir).append({ at: isoTime(Date.now()), what: 'records_erased' });
    // Erases before the key is replaced: then a command that is cut off leaves no record that no key finds.
    const erased = isHmac ? await checks.deleteBefore(END_OF_TIME) : 0;
    const erasedLabels = isHmac ? await labels.deleteIdle(END_OF_TIME) : 0;
    await noteErased(session, { command: 'secrets replace hmac', records: erased, labels: erasedLabels });
    const kept = await replaceSecret(name, config, storage);
    const done = isHmac
      ? `${counted(erased, 'record')} and ${counted(erasedLabels, 'label')} of people erased`
      : 'all people sign in again';
    shell.answer({ replaced: name, kept, erased, labels: erasedLabels }, () => {
      if (kept !== null) shell.print(`the key that was there is kept as ${kept}`);
      shell.print(`replaced: ${done}`);
    });
  };
  await withStorage(shell, work, { warns: true });
}
