// Lines as Locket and its clients write them, put together for tests. Times are seconds.

export const BEGIN_S = 1_795_316_221;

export function line(atS, source, message, data) {
  return JSON.stringify({ timestamp: (BEGIN_S + atS).toFixed(9), source, message: `${source}.${message}`, log_level: 1, data });
}

export const locket = (atS, message, data = {}) => line(atS, 'locket', message, { key: 'bbs', session: '6.1', ...data });
export const started = (atS) => locket(atS, 'burglar.started');
export const inserted = (atS, owner, uuid) => locket(atS, 'lock.lock.acquired-lock', { owner, 'request-uuid': uuid });
export const expired = (atS, owner) => locket(atS, 'lock.register-ttl.fetch-and-release-lock.released-lock', { owner, 'modified-index': 5, 'request-uuid': `last of ${owner}` });

export function client(atS, owner, message, data = {}, lock = { key: 'bbs', type: 'lock', type_code: 1 }) {
  return line(atS, 'bbs', `locket-lock.${message}`, { lock: { ...lock, owner }, session: '1', ttl_in_seconds: 15, ...data });
}

export const logs = (files) => Object.entries(files).map(([name, lines]) => ({ name: `${name}.log`, data: lines.join('\n') }));
