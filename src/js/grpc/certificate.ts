// A certificate as the other side judges it: its dates, its purpose, and the authorities that signed its chain.

import { X509Certificate } from 'node:crypto';

/** Why a certificate is refused. */
export type Fault = 'authority' | 'expired' | 'missing' | 'name' | 'not-yet-valid' | 'unknown' | 'usage';

/** A fault that a certificate shows itself. */
export interface OwnFault {
  why: Extract<Fault, 'expired' | 'not-yet-valid' | 'usage'>;
  words: string;
}

/** The purposes of a certificate, by the object identifiers of its extended key usage. */
const PURPOSES = { serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2' } as const;
const ANY_PURPOSE = '2.5.29.37.0';

/** The purpose that one side needs. */
export type Purpose = keyof typeof PURPOSES;

/** The fault of a certificate that stands in it, for this purpose and now. */
export function ownFault(certificate: X509Certificate, purpose: Purpose, nowMs = Date.now()): OwnFault | undefined {
  const { validFrom, validTo, keyUsage } = certificate;
  if (nowMs > Date.parse(validTo)) return { why: 'expired', words: `it has expired on ${validTo}` };
  if (nowMs < Date.parse(validFrom)) return { why: 'not-yet-valid', words: `it is not yet valid, only from ${validFrom}` };
  // Without the extension, a certificate is for any purpose.
  const purposes = keyUsage as string[] | undefined;
  if (purposes === undefined || purposes.includes(PURPOSES[purpose]) || purposes.includes(ANY_PURPOSE)) return undefined;
  return { why: 'usage', words: `its extended key usage is ${purposes.map(nameOf).join(', ')}, without ${purpose}` };
}

const nameOf = (id: string): string => Object.entries(PURPOSES).find(([, known]) => known === id)?.[0] ?? id;

const BLOCK = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/** The certificates of a file in PEM: the first is its owner's, others are those of its authorities. */
export function chainOf(pem: string | Uint8Array): X509Certificate[] {
  const blocks = Buffer.from(pem).toString('latin1').match(BLOCK) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** The names of the authorities that signed these certificates, in DER. */
export function issuersOf(chain: readonly X509Certificate[]): Buffer[] {
  return chain.map(({ raw }) => {
    const [signed] = elementsOf(contentOf(raw));
    // The version stands first, if there is one; then the number, the algorithm and the issuer.
    const parts = elementsOf(contentOf(signed as Buffer));
    return parts[(parts[0] as Buffer)[0] === VERSION ? 3 : 2] as Buffer;
  });
}

/** The tag of a version. */
const VERSION = 0xa0;

/** The elements of DER, each with its tag and length. */
function elementsOf(der: Buffer): Buffer[] {
  const elements: Buffer[] = [];
  for (let rest = der; rest.length > 1; ) {
    const { begin, length } = extentOf(rest);
    elements.push(rest.subarray(0, begin + length));
    rest = rest.subarray(begin + length);
  }
  return elements;
}

function contentOf(element: Buffer): Buffer {
  const { begin, length } = extentOf(element);
  return element.subarray(begin, begin + length);
}

/** Where the content of the first element begins, and its length. */
function extentOf(der: Buffer): { begin: number; length: number } {
  const first = der[1] as number;
  if (first < 0x80) return { begin: 2, length: first };
  const digits = first & 0x7f;
  return { begin: 2 + digits, length: der.readUIntBE(2, digits) };
}
