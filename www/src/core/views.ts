// The views of the instrument: everything but the stage, which opens first.

export type ViewName = 'diagram' | 'map' | 'editor' | 'logs' | 'live';

export const VIEWS: readonly ViewName[] = ['diagram', 'map', 'editor', 'logs', 'live'];
