import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../provider-kit/index.ts';
import { issueLocalhostCertificate, type LocalhostCertificate } from './issue-certificate.ts';

const DAY_MS = 86_400_000;
/** Remade at a start or a SIGHUP within this time before it expires. */
const RENEWAL_MS = 30 * DAY_MS;

/** The certificate in `<data dir>/tls`, made anew where it is missing, unusable or expires within 30 days. */
export async function readLocalhostCertificate(
  dataDir: string,
  clock: Clock,
): Promise<{ cert: string; key: string; caFile: string }> {
  const directory = join(dataDir, 'tls');
  const caFile = join(directory, 'ca.pem');
  let pems = await readPems(directory);
  if (pems === undefined || !isUsable(pems, clock.now() + RENEWAL_MS)) {
    pems = await issueLocalhostCertificate(clock.now());
    await writePems(directory, pems);
  }
  return { cert: pems.cert, key: pems.key, caFile };
}

async function readPems(directory: string): Promise<LocalhostCertificate | undefined> {
  try {
    const [ca, cert, key] = await Promise.all(
      ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(directory, name), 'utf8')),
    );
    return ca === undefined || cert === undefined || key === undefined ? undefined : { ca, cert, key };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The three files are written one by one: after a crash between two of them they do not fit, and are remade. */
function isUsable({ ca, cert, key }: LocalhostCertificate, until: number): boolean {
  try {
    const [authority, certificate] = [new X509Certificate(ca), new X509Certificate(cert)];
    return (
      certificate.verify(authority.publicKey) &&
      certificate.checkPrivateKey(createPrivateKey(key)) &&
      Math.min(authority.validToDate.getTime(), certificate.validToDate.getTime()) > until
    );
  } catch {
    return false;
  }
}

async function writePems(directory: string, { ca, cert, key }: LocalhostCertificate): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // The directory may have been there before.
  await chmod(directory, 0o700);
  for (const [name, pem] of Object.entries({ 'key.pem': key, 'cert.pem': cert, 'ca.pem': ca })) {
    const path = join(directory, name);
    await writeFile(`${path}.new`, pem, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}
