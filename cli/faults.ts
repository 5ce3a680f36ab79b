// The option --fault, and a fault in a command to paste. The list of faults comes from the core.

import { InvalidArgumentError, Option } from 'commander';
import type { Faults } from 'locket-wasm/types';

import { duration, Failure, PROGRAM, wholeNumber, wholeNumberOrAny } from './command.js';
import { FAULT_OPTIONS } from './question-options.js';
import { section, type Term } from './short-help.js';
import { nearest } from './spelling.js';

type FaultOption = (typeof FAULT_OPTIONS)[number] & { field: keyof Faults };

const KNOWN = FAULT_OPTIONS as readonly FaultOption[];

/** How each kind of argument is written. */
const ARGUMENTS: Record<FaultOption['takes'], string> = { commits: '[=COMMITS]', count: '', downtime: '[=DOWNTIME]', length: '=LENGTH' };

const nameOf = ({ field }: FaultOption): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const NAMES = KNOWN.map(nameOf);

/** The option, which `write` lists the faults for. */
export function faultOption(write: (text: string) => void): Option {
  const option = new Option('--fault <fault>', 'allow a fault: NAME[=LENGTH][,COUNT], or help');
  return option.argParser((text: string, faults: Faults = {}) => {
    if (text === 'help') {
      write(list());
      throw new Failure(0, '');
    }
    return withFault(faults, text);
  });
}

function list(): string {
  const terms = KNOWN.map((fault): Term => [`${nameOf(fault)}${ARGUMENTS[fault.takes]}`, fault.meaning]);
  return `${section('Faults, as NAME[=LENGTH][,COUNT]:', terms)}
COUNT is a number or any. Without one, the search tries to prove the answer for
any number of that fault, then to break it; if neither succeeds, it allows one.

LENGTH is the longest of each. DOWNTIME is the longest until it is back, 0s by
default. COMMITS is how many a failover loses, 1 by default.

  ${PROGRAM} explore --fault pause=20s --fault lost-message,2
`;
}

function withFault(faults: Faults, text: string): Faults {
  const [, name = '', argument, count] = /^([^=,]*)(?:=([^,]*))?(?:,(.*))?$/.exec(text) ?? [];
  const fault = KNOWN[NAMES.indexOf(name)];
  if (fault === undefined) {
    const near = nearest(name, NAMES, 3);
    throw new InvalidArgumentError(near === null ? `There is no fault ${name}; --fault help lists them.` : `There is no fault ${name}; did you mean ${near}?`);
  }
  if (faults[fault.field] !== undefined) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...faults, [fault.field]: { ...argumentOf(fault, argument), ...(count !== undefined && { count: wholeNumberOrAny(count) }) } };
}

function argumentOf(fault: FaultOption, argument: string | undefined): object {
  const name = nameOf(fault);
  if (argument === undefined) {
    if (fault.takes === 'length') throw new InvalidArgumentError(`${name} needs a length, such as ${name}=20s.`);
    return {};
  }
  if (fault.takes === 'count') throw new InvalidArgumentError(`${name} has no length; write a count as ${name},2.`);
  return fault.takes === 'commits' ? { lostCommits: wholeNumber(argument) } : { length: duration(argument) };
}
