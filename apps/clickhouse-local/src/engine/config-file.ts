import { writeFileSync } from 'node:fs';

/**
 * What the engine takes from a configuration file alone: a setting of all tables. Parts that were merged into others are
 * looked for after 5 s, and after at most 10, instead of 30 and 300: each that is still there holds memory, and tables
 * that are written every second leave some ten a second behind.
 */
const config = `<clickhouse>
  <merge_tree>
    <cleanup_delay_period>5</cleanup_delay_period>
    <max_cleanup_delay_period>10</max_cleanup_delay_period>
    <cleanup_delay_period_random_add>0</cleanup_delay_period_random_add>
  </merge_tree>
</clickhouse>
`;

/** Writes the engine's configuration to a file, which it reads each time it opens its folder. */
export function writeConfigFile(path: string): string {
  writeFileSync(path, config);
  return path;
}
