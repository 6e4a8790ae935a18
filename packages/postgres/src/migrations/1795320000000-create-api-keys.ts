import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Plans, keys and their histories. As with labels, that no change is lost and that followers can trust the change numbers
 * is the database's work.
 */
export class CreateApiKeys1795320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...triggers]) await runner.query(statement);
    await runner.query(`
      INSERT INTO plans (name, paid, requests_per_second, burst, requests_per_day, set_by, set_at) VALUES
        ('public', false, 1, 10, 20000, 'migration', now()),
        ('free', false, 5, 20, 100000, 'migration', now()),
        ('pro', true, 50, 100, 2000000, 'migration', now()),
        ('business', true, 500, 1000, 20000000, 'migration', now())`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_keys, api_key_changes, plans, plan_changes');
    await runner.query('DROP FUNCTION number_access_change, keep_plan_change, keep_api_key_change');
    await runner.query('DROP SEQUENCE access_change_number');
  }
}

const tables = [
  'CREATE SEQUENCE access_change_number',
  `CREATE TABLE plans (
    name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9-]{0,31}$'),
    paid boolean NOT NULL,
    requests_per_second integer NOT NULL CHECK (requests_per_second BETWEEN 1 AND 1000000),
    burst integer NOT NULL CHECK (burst BETWEEN requests_per_second AND 10000000),
    requests_per_day integer NOT NULL CHECK (requests_per_day >= 1),
    set_by text NOT NULL CHECK (set_by <> ''),
    set_at timestamptz NOT NULL,
    change_number bigint NOT NULL UNIQUE
  )`,
  `CREATE TABLE plan_changes (
    change_number bigint PRIMARY KEY,
    name text NOT NULL,
    paid boolean NOT NULL,
    requests_per_second integer NOT NULL,
    burst integer NOT NULL,
    requests_per_day integer NOT NULL,
    set_by text NOT NULL,
    set_at timestamptz NOT NULL
  )`,
  `CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    prefix text NOT NULL UNIQUE CHECK (prefix ~ '^ja_live_[0-9A-Za-z]{8}$'),
    key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
    owner text NOT NULL CHECK (owner <> '' AND length(owner) <= 200),
    plan text NOT NULL REFERENCES plans (name),
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    set_by text NOT NULL CHECK (set_by <> ''),
    set_at timestamptz NOT NULL,
    change_number bigint NOT NULL UNIQUE
  )`,
  'CREATE INDEX ON api_keys (owner)',
  `CREATE TABLE api_key_changes (
    change_number bigint PRIMARY KEY,
    key_id bigint NOT NULL,
    owner text NOT NULL,
    plan text NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    set_by text NOT NULL,
    set_at timestamptz NOT NULL
  )`,
  'CREATE INDEX ON api_key_changes (key_id, change_number)',
];

const keyColumns = 'owner, plan, expires_at, revoked_at, set_by, set_at';

const triggers = [
  // The lock lasts until the writer commits, so that a smaller number never becomes visible after a greater one.
  `CREATE FUNCTION number_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('access_change_number'));
    NEW.change_number := nextval('access_change_number');
    RETURN NEW;
  END $$`,
  `CREATE FUNCTION keep_plan_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO plan_changes (change_number, name, paid, requests_per_second, burst, requests_per_day, set_by, set_at)
    VALUES (NEW.change_number, NEW.name, NEW.paid, NEW.requests_per_second, NEW.burst, NEW.requests_per_day,
            NEW.set_by, NEW.set_at);
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION keep_api_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO api_key_changes (change_number, key_id, ${keyColumns})
    VALUES (NEW.change_number, NEW.id, NEW.owner, NEW.plan, NEW.expires_at, NEW.revoked_at, NEW.set_by, NEW.set_at);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER number_change BEFORE INSERT OR UPDATE ON plans
   FOR EACH ROW EXECUTE FUNCTION number_access_change()`,
  `CREATE TRIGGER keep_change AFTER INSERT OR UPDATE ON plans
   FOR EACH ROW EXECUTE FUNCTION keep_plan_change()`,
  // Not for last_used_at: a use is no change.
  `CREATE TRIGGER number_change BEFORE INSERT OR UPDATE OF ${keyColumns} ON api_keys
   FOR EACH ROW EXECUTE FUNCTION number_access_change()`,
  `CREATE TRIGGER keep_change AFTER INSERT OR UPDATE OF ${keyColumns} ON api_keys
   FOR EACH ROW EXECUTE FUNCTION keep_api_key_change()`,
  `CREATE TRIGGER keep_identity BEFORE UPDATE OF id, prefix, key_hash, created_at ON api_keys
   FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  ...['plans', 'api_keys'].map(
    (table) => `CREATE TRIGGER keep_rows BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  ),
  ...['plan_changes', 'api_key_changes'].map(
    (table) =>
      `CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  ),
];
