import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { loadSettings, SettingsError } from './load-settings.js';
import { integerSetting, serviceSettings } from './settings.js';

const Env = z.object({
  ...serviceSettings,
  DATABASE_URL: z.url().describe('address of the database'),
  STORE_PASSWORD: z.string().max(3).default('').describe('password of the store'),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().max(3).optional().describe('headers for the collector'),
});

function problemsOf(env: Record<string, string>) {
  try {
    loadSettings(Env, env);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

describe('loadSettings', () => {
  it('gives typed, frozen values with defaults and ignores other variables', () => {
    const settings = loadSettings(Env, { DATABASE_URL: 'postgres://h/d', PORT: '3001', HOME: '/root' });
    expect(settings).toMatchObject({ PORT: 3001, HOST: '127.0.0.1', LOG_FORMAT: 'json', METRICS_PORT: 0 });
    expect(settings).not.toHaveProperty('HOME');
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it('names every wrong setting at once, one line each, with what is expected and what was given', () => {
    const { message } = problemsOf({ PORT: '70000', LOG_LEVEL: 'loud' });
    const lines = message.split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^PORT: .*65535.*port of the HTTP interface.*\(given "70000"\)$/);
    expect(lines[1]).toMatch(/^LOG_LEVEL: .*"fatal".*\(given "loud"\)$/);
    expect(lines[2]).toMatch(/^DATABASE_URL: .*address of the database \(not set\)$/);
  });

  it('never shows a secret: neither a password nor the one inside a URL', () => {
    const { message } = problemsOf({
      STORE_PASSWORD: 'hunter2',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2',
      DATABASE_URL: 'bad url //user:hunter2@host',
    });
    expect(message).not.toContain('hunter2');
    expect(message).toContain('STORE_PASSWORD: ');
    expect(message).toContain('user:***@host');
  });

  it.each(['', ' ', '1e3', '0x10', '1.5', '٣', 'NaN'])('does not take %j for a whole number', (text) => {
    expect(integerSetting(0, 100_000).safeParse(text).success).toBe(false);
  });
});
