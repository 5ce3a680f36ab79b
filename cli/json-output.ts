// The shape of the output of each command with --json. docs/json-schemas.mjs makes JSON Schemas of
// these types, and a test compares the schemas with real output. No command needs this file to run.

import type { ScenarioRun } from 'locket-wasm';
import type { Advice, Exploration, MinimizedRun, SettingsMap } from 'locket-wasm/check';
import type { Diagnosis } from 'locket-wasm/diagnose';
import type { SafetyMargin, Sweep } from 'locket-wasm/types';

import type { IncidentAdvice } from './diagnose.js';
import type { EndpointFinding } from './doctor/finding.js';
import type { ManifestAdvice } from './manifest.js';
import type { Part } from './shards/part.js';
import type { ShippedStory } from './stories.js';

/** `advise` about settings, or with --manifest about manifests. */
export type AdviseJson = Advice | ManifestAdvice;

/** `explore`: a line for each runner. `runner` is the runner, or the file of the scenario. */
export type ExploreJson = Exploration & { runner: string };

export type DiagnoseJson = Diagnosis;
/** `diagnose` with --advise: the second line. */
export type DiagnoseAdviceJson = IncidentAdvice;

/** `doctor`: an endpoint and the findings about it. */
export interface DoctorJson {
  urls: string[];
  /** `null` if address and options leave it to the endpoint. */
  protocol: string | null;
  findings: EndpointFinding[];
}

export type MapJson = SettingsMap;
export type MarginJson = SafetyMargin;
/** `minimize`: `null` if every expectation of the run holds. */
export type MinimizeJson = MinimizedRun | null;

/** The report of a shard, as `run --seeds`, `explore --map` and `merge` write it with --output. */
export type ShardJson = Part<'map'> | Part<'seeds'>;

/** `run` with a link: the run up to its moment. */
export interface LinkJson extends ScenarioRun {
  nowMs: number;
  endMs: number | null;
  /** True if the run equals the original. */
  isFaithful: boolean;
}

/** `run`: a line for each run. */
export type RunJson = ScenarioRun;
export type StoriesJson = ShippedStory[];
export type SeedsJson = Sweep;
