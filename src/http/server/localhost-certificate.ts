// The certificate library needs reflect-metadata, which di.ts brings in, and first.
import '../../di.ts';
import { createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';
import { Mutex } from '../../lib/concurrency.ts';
import { codeOf, orIfAbsent } from '../../lib/thrown.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { makePrivateDirectory } from '../../storage/private-files.ts';

export interface LocalhostCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** The most that Apple's clients take of a certificate (support.apple.com/en-us/103769). */
const LIFETIME_MS = 825 * DAY_MS;
/** For clients whose clock is behind. */
const BACKDATE_MS = DAY_MS;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** An authority, and a certificate for localhost signed by it. Its private key is dropped: to trust `ca.pem` is to trust one certificate. */
export async function issueLocalhostCertificate(now: number): Promise<LocalhostCertificate> {
  // Loaded only when needed: it takes longer than all the rest of a start.
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  const validity = { notBefore: new Date(now - BACKDATE_MS), notAfter: new Date(now + LIFETIME_MS) };
  const authority = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const server = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  // A name of its own, so that clients never mistake a remade authority for the old one.
  const name = `CN=Postern on localhost ${randomBytes(4).toString('hex')}`;

  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name,
    keys: authority,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const cert = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=localhost',
    issuer: name,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.SubjectKeyIdentifierExtension.create(server.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const key = KeyObject.from(server.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { ca: `${ca.toString('pem')}\n`, cert: `${cert.toString('pem')}\n`, key };
}

/** Remade at a start or a SIGHUP within this time before it expires. */
const RENEWAL_MS = 30 * DAY_MS;

/** Two reloads at once make one certificate. Another process has a data directory of its own. */
const oneAtATime = new Mutex();

/** The certificate in `<data dir>/tls`, made anew where missing, unusable or near its end. Throws a StartupError where it cannot be kept. */
export async function readLocalhostCertificate(dataDir: string, clock: Clock) {
  const directory = join(dataDir, 'tls');
  try {
    const { cert, key } = await oneAtATime.run(() => readOrMake(directory, clock.now()));
    return { cert, key, caFile: join(directory, 'ca.pem') };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new StartupError([`${directory}: the certificate cannot be read or written there (${code})`]);
  }
}

async function readOrMake(directory: string, now: number): Promise<LocalhostCertificate> {
  const known = await orIfAbsent(readPems(directory), undefined);
  if (known !== undefined && isUsable(known, now + RENEWAL_MS)) return known;
  const made = await issueLocalhostCertificate(now);
  makePrivateDirectory(directory);
  // The directory may have been there before.
  await chmod(directory, 0o700);
  for (const [name, pem] of Object.entries({
    'key.pem': made.key,
    'cert.pem': made.cert,
    'ca.pem': made.ca,
  })) {
    const path = join(directory, name);
    await writeFile(`${path}.new`, pem, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
  return made;
}

async function readPems(directory: string): Promise<LocalhostCertificate> {
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  return { ca: await read('ca.pem'), cert: await read('cert.pem'), key: await read('key.pem') };
}

/** The files are written one by one: after a crash between two of them they do not fit, and are remade. */
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
