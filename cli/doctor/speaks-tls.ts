// Asks a port whether it speaks TLS.

import { connect } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

import { alertOf } from '../../src/js/grpc/refusal.js';
import type { Place } from './patient.js';

/** True if a server answers the start of TLS, whatever the result. */
export async function speaksTls({ host, port }: Place, timeoutMs: number): Promise<boolean> {
  const secure = connect({ host, port, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
  const isTls = new Promise<boolean>((resolve) => {
    secure.once('secureConnect', () => resolve(true));
    secure.on('error', (error) => resolve(alertOf(error) !== undefined));
    secure.once('close', () => resolve(false));
  });
  const answer = await Promise.race([isTls, sleep(timeoutMs, false, { ref: false })]);
  secure.destroy();
  return answer;
}
