import { test } from 'node:test';
import { CASES } from './cases.mjs';
for (const [name, body] of CASES) test(name, body);
