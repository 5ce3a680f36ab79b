import { test } from 'vitest';
import { CASES } from './cases.mjs';
for (const [name, body] of CASES) test(name, body);
