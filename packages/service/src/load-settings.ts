import type { z } from 'zod';

export interface SettingProblem {
  /** Name of the environment variable. */
  readonly setting: string;
  readonly expected: string;
  /** What was given, secrets hidden; undefined where nothing was. */
  readonly given: string | undefined;
}

/** Settings that do not fit the schema. The message has one line per setting. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly SettingProblem[]) {
    super(
      problems
        .map(({ setting, expected, given }) => `${setting}: ${expected} (${given === undefined ? 'not set' : given})`)
        .join('\n'),
    );
  }
}

const secretName = /PASSWORD|SECRET|TOKEN|CREDENTIAL|API_KEY|PRIVATE|HMAC|OTLP_HEADERS/;
const givenCharsMax = 100;

/** What may be shown of a value: secrets not at all, a URL without its password, anything else up to a length. */
function shown(setting: string, value: string): string {
  if (secretName.test(setting)) return 'given, hidden';
  const plain = value.replace(/(\/\/[^/@:]*):[^/@]*@/g, '$1:***@');
  return `given ${JSON.stringify(plain.length > givenCharsMax ? `${plain.slice(0, givenCharsMax)}…` : plain)}`;
}

/**
 * Reads the settings of a process from its environment: a frozen object of the schema's output. Variables that the
 * schema does not name are ignored. Throws SettingsError that names every wrong setting at once.
 */
export function loadSettings<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<z.output<S>> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return Object.freeze(parsed.data);
  throw new SettingsError(
    parsed.error.issues.map(({ path, message }) => {
      const setting = String(path[0] ?? 'settings');
      const shape: Record<string, z.core.$ZodType | undefined> = schema.shape;
      const field = shape[setting] as z.ZodType | undefined;
      const value = env[setting];
      return {
        setting,
        expected: field?.description === undefined ? message : `${message}; ${field.description}`,
        given: value === undefined ? undefined : shown(setting, value),
      };
    }),
  );
}

const exitCodeSettings = 78;

/**
 * {@link loadSettings} for the first line of a program: prints a line for each wrong setting and exits with 78
 * (EX_CONFIG of sysexits.h: starting again will not help).
 */
export function settingsOrExit<S extends z.ZodObject>(name: string, env: S): Readonly<z.output<S>> {
  try {
    return loadSettings(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const lines = error.message.replaceAll(/^/gm, '  ');
    process.stderr.write(`${name} cannot start, its settings are wrong:\n${lines}\n`);
    return process.exit(exitCodeSettings);
  }
}
