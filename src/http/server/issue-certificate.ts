import { KeyObject, randomBytes, webcrypto } from 'node:crypto';
// The certificate library needs reflect-metadata, which this file alone brings in, and first.
import '../../di.ts';

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
 * here: whoever trusts `ca.pem` trusts one certificate, and nobody can issue a second.
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
    serialNumber: serialNumber(),
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
    serialNumber: serialNumber(),
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

/** RFC 5280, 4.1.2.2: positive and at most 20 octets. */
function serialNumber(): string {
  const octets = randomBytes(16);
  octets[0] = 0x40 | ((octets[0] ?? 0) & 0x3f);
  return octets.toString('hex');
}
