// The certificate library needs reflect-metadata, which di.ts brings in, and first.
import '../../di.ts';
import { createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';
import { codeOf } from '../../lib/thrown.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { makePrivateDirectory } from '../../storage/private-files.ts';

export interface LocalhostCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** The most that Apple's clients take of a certificate (support.apple.com/en-us/103769). */
const LIFETIME_MS = 825 * DAY_MS;
/** For clients whose clock is behind. */
const BACKDATE_MS = DAY_MS;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * Makes an authority and a certificate for localhost signed by it. The authority's private key is dropped
 * here: to trust `ca.pem` is to trust one certificate, since a second cannot be issued.
 */
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

/**
 * The certificate in `<data dir>/tls`, made anew where it is missing, unusable or expires within 30 days.
 * Throws a StartupError when the directory cannot be read or written.
 */
export async function readLocalhostCertificate(
  dataDir: string,
  clock: Clock,
): Promise<{ cert: string; key: string; caFile: string }> {
  const directory = join(dataDir, 'tls');
  try {
    const { cert, key } = await readOrMake(directory, clock.now());
    return { cert, key, caFile: join(directory, 'ca.pem') };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new StartupError([`${directory}: the certificate cannot be read or written there (${code})`]);
  }
}

async function readOrMake(directory: string, now: number): Promise<LocalhostCertificate> {
  const known = await readPems(directory);
  if (known !== undefined && isUsable(known, now + RENEWAL_MS)) return known;
  const made = await issueLocalhostCertificate(now);
  if (await placeWhole(directory, made)) return made;
  // Another process was first: its certificate is the one.
  const others = await readPems(directory);
  if (others !== undefined && isUsable(others, now + RENEWAL_MS)) return others;
  await replace(directory, made);
  return made;
}

async function readPems(directory: string): Promise<LocalhostCertificate | undefined> {
  try {
    const [ca, cert, key] = await Promise.all(
      ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(directory, name), 'utf8')),
    );
    return ca === undefined || cert === undefined || key === undefined ? undefined : { ca, cert, key };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Where files are replaced they are written one by one: after a crash between two of them they do not fit, and are remade. */
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

/** The directory appears with all three files, and only once: false where it is already and holds something. */
async function placeWhole(directory: string, pems: LocalhostCertificate): Promise<boolean> {
  const draft = `${directory}.${randomBytes(6).toString('hex')}`;
  try {
    await replace(draft, pems);
    await rename(draft, directory);
    return true;
  } catch {
    // Or it is a link or a mounted volume, which no rename replaces. What truly fails, fails again in `replace`.
    return false;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function replace(directory: string, { ca, cert, key }: LocalhostCertificate): Promise<void> {
  makePrivateDirectory(directory);
  // The directory may have been there before.
  await chmod(directory, 0o700);
  for (const [name, pem] of Object.entries({ 'key.pem': key, 'cert.pem': cert, 'ca.pem': ca })) {
    const path = join(directory, name);
    await writeFile(`${path}.new`, pem, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}
