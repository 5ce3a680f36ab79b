// The version of the package.

/** Written by the build. */
declare const VERSION: string;

/** The version, from the package's manifest. */
export const version = (): string => VERSION;
