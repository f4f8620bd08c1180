// The certificate library needs reflect-metadata, which di.ts brings in, and first.
import '../../di.ts';
import { createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { isIP, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../app/config/config.ts';
import { StartupError } from '../../errors.ts';
import { Mutex } from '../../lib/concurrency.ts';
import { codeOf, messageOf, orIfAbsent } from '../../lib/thrown.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { makePrivateDirectory } from '../../storage/private-files.ts';

/** A certificate with its private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The authority to trust; null with a certificate of one's own. */
  readonly caFile: string | null;
  /** Reads the files again. Rejects with a StartupError when they cannot be used. */
  reload(): Promise<Certificate>;
}

/** Whether the service makes its own certificate, whose authority clients do not trust yet. */
export function hasOwnAuthority({ http }: { readonly http: Pick<Config['http'], 'tls'> }): boolean {
  return http.tls.certFile === null;
}

/** Where a service that listens on one of these is reached as localhost. */
const REACHED_AS_LOCALHOST = ['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'];

/** None where it cannot be read: a command that shows a link at most does not need it, and a start says what is wrong with it. */
function namesIn(file: string | null): string {
  try {
    return (file !== null && new X509Certificate(readFileSync(file)).subjectAltName) || '';
  } catch {
    return '';
  }
}

/** The host by which links and examples name the service: a name of its own certificate, else the address that it listens on, or localhost. */
export function shownHost({ host, tls }: Pick<Config['http'], 'host' | 'tls'>): string {
  const [, name] = /\bDNS:([^*,\s]+)(?:,|$)/.exec(namesIn(tls.certFile)) ?? [];
  if (name !== undefined) return name;
  if (tls.certFile !== null || REACHED_AS_LOCALHOST.includes(host)) return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * The configured certificate, else one for localhost and `http.host` in the data directory, made when it is missing or near its end.
 * One that is there stays when the address changes: clients trust it.
 */
export async function ensureCertificate(
  config: { readonly dataDir: string; readonly http: Pick<Config['http'], 'host' | 'tls'> },
  clock: Clock,
): Promise<Certificate> {
  const { certFile, keyFile } = config.http.tls;
  const reload = () => ensureCertificate(config, clock);
  if (certFile !== null && keyFile !== null) {
    return { ...(await readOwnCertificate(certFile, keyFile, clock)), caFile: null, reload };
  }
  return { ...(await readLocalhostCertificate(config.dataDir, config.http.host, clock)), reload };
}

/** Reads and checks `http.tls.cert_file` and `http.tls.key_file`; all that is wrong with them is told at once. */
async function readOwnCertificate(certFile: string, keyFile: string, clock: Clock) {
  const faults: string[] = [];
  const read = async <Parsed>(
    setting: string,
    file: string,
    parse: (text: string) => Parsed,
    what: string,
  ) => {
    let text: string | undefined;
    try {
      text = await readFile(file, 'utf8');
      return { text, parsed: parse(text) };
    } catch (error) {
      const fault = text === undefined ? `cannot be read (${codeOf(error)})` : `holds no PEM ${what}`;
      faults.push(`${setting}: ${file} ${fault}`);
      return undefined;
    }
  };
  const cert = await read('http.tls.cert_file', certFile, (pem) => new X509Certificate(pem), 'certificate');
  const key = await read(
    'http.tls.key_file',
    keyFile,
    createPrivateKey,
    'private key, or one with a passphrase',
  );
  if (cert && key && !cert.parsed.checkPrivateKey(key.parsed)) {
    faults.push(`http.tls.key_file: ${keyFile} is not the key of the first certificate in ${certFile}`);
  }
  // Of the group, as packages of Debian have it (ssl-cert), and a secret of Kubernetes with `fsGroup`, it may be.
  if (key && ((await stat(keyFile)).mode & 0o007) !== 0) {
    faults.push(`http.tls.key_file: ${keyFile} can be read by every user of this machine; chmod o= it`);
  }
  if (cert && cert.parsed.validFromDate.getTime() > clock.now()) {
    faults.push(
      `http.tls.cert_file: ${certFile} is not valid before ${cert.parsed.validFromDate.toISOString()}; is the clock right?`,
    );
  }
  if (cert && cert.parsed.validToDate.getTime() <= clock.now()) {
    faults.push(`http.tls.cert_file: ${certFile} expired on ${cert.parsed.validToDate.toISOString()}`);
  }
  if (cert === undefined || key === undefined || faults.length > 0) throw new StartupError(faults);
  try {
    // Reads the intermediates too, and knows which keys are too short to be served.
    createSecureContext({ cert: cert.text, key: key.text });
  } catch (error) {
    throw new StartupError([`http.tls.cert_file: ${certFile} cannot be served: ${messageOf(error)}`]);
  }
  return { cert: cert.text, key: key.text };
}

type LocalhostCertificate = Awaited<ReturnType<typeof issueLocalhostCertificate>>;

/** The most that Apple's clients take of a certificate (support.apple.com/en-us/103769). */
const LIFETIME_MS = 825 * DAY_MS;
/** For clients whose clock is behind. */
const BACKDATE_MS = DAY_MS;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** An authority, and a certificate for localhost and `host` signed by it. Its private key is dropped: to trust `ca.pem` is to trust one certificate. */
export async function issueLocalhostCertificate(now: number, host = 'localhost') {
  // Loaded only when needed: it takes longer than all the rest of a start.
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  const validity = { notBefore: new Date(now - BACKDATE_MS), notAfter: new Date(now + LIFETIME_MS) };
  const authority = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const server = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const others = REACHED_AS_LOCALHOST.includes(host) ? [] : [host];
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
      new x509.SubjectAlternativeNameExtension(
        ['localhost', '127.0.0.1', '::1', ...others].map((value) => ({
          type: isIP(value) === 0 ? 'dns' : 'ip',
          value,
        })),
      ),
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
export async function readLocalhostCertificate(dataDir: string, host: string, clock: Clock) {
  const directory = join(dataDir, 'tls');
  try {
    const { cert, key } = await oneAtATime.run(() => readOrMake(directory, host, clock.now()));
    return { cert, key, caFile: join(directory, 'ca.pem') };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new StartupError([`${directory}: the certificate cannot be read or written there (${code})`]);
  }
}

async function readOrMake(directory: string, host: string, now: number): Promise<LocalhostCertificate> {
  const known = await orIfAbsent(readPems(directory), undefined);
  if (known !== undefined && isUsable(known, now + RENEWAL_MS)) return known;
  const made = await issueLocalhostCertificate(now, host);
  makePrivateDirectory(directory);
  // The directory may have been there before.
  await chmod(directory, 0o700);
  for (const name of ['key', 'cert', 'ca'] as const) {
    const path = join(directory, `${name}.pem`);
    await writeFile(`${path}.new`, made[name], { mode: 0o600 });
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
