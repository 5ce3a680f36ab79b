// The logs of a real incident, to see what the page makes of some: a holder that was frozen for longer than its TTL.

import holder from '../../../tests/vectors/logs/c-sigstop/bbs-0.log?raw';
import standby from '../../../tests/vectors/logs/c-sigstop/bbs-1.log?raw';
import locket from '../../../tests/vectors/logs/c-sigstop/locket-a.log?raw';

export const exampleLogs: File[] = [new File([locket], 'locket.log'), new File([holder], 'bbs-0.log'), new File([standby], 'bbs-1.log')];
