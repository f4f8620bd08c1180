import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../../app/config/config.ts';
import { StartupError } from '../../errors.ts';
import { codeOf } from '../../lib/thrown.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { readLocalhostCertificate } from './localhost-certificate.ts';

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

/** The configured certificate, else one for localhost in the data directory, made when it is missing or near its end. */
export async function ensureCertificate(
  config: { readonly dataDir: string; readonly http: Pick<Config['http'], 'tls'> },
  clock: Clock,
): Promise<Certificate> {
  const { certFile, keyFile } = config.http.tls;
  const reload = () => ensureCertificate(config, clock);
  if (certFile !== null && keyFile !== null) {
    return { ...(await readOwnCertificate(certFile, keyFile, clock)), caFile: null, reload };
  }
  return { ...(await readLocalhostCertificate(config.dataDir, clock)), reload };
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
  return { cert: cert.text, key: key.text };
}
