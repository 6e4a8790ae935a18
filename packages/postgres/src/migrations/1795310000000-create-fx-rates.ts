import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Daily rates of the fiats and their history. As with labels, that no change is lost and that followers can trust the
 * change numbers is the database's work. refuse_change() comes from the migration of the labels.
 */
export class CreateFxRates1795310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fx_rates (
        day date NOT NULL,
        currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$' AND currency NOT IN ('ton', 'usd')),
        rate numeric NOT NULL CHECK (rate > 0 AND rate < 1e15 AND scale(rate) <= 30),
        source text NOT NULL CHECK (source <> ''),
        set_by text NOT NULL CHECK (set_by <> ''),
        set_at timestamptz NOT NULL,
        change_number bigint NOT NULL UNIQUE,
        PRIMARY KEY (day, currency)
      )`);
    await runner.query(`
      CREATE TABLE fx_rate_changes (
        change_number bigint PRIMARY KEY,
        day date NOT NULL,
        currency text NOT NULL,
        rate numeric NOT NULL,
        source text NOT NULL,
        set_by text NOT NULL,
        set_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX ON fx_rate_changes (day, currency, change_number)');
    await runner.query('CREATE SEQUENCE fx_rate_change_number');
    // The lock lasts until the writer commits: otherwise a smaller number could become visible after a greater one, and
    // a reader that follows by number would miss it.
    await runner.query(`
      CREATE FUNCTION number_fx_rate_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('fx_rate_change_number'));
        NEW.change_number := nextval('fx_rate_change_number');
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER number_change BEFORE INSERT OR UPDATE ON fx_rates
      FOR EACH ROW EXECUTE FUNCTION number_fx_rate_change()`);
    // After and not before: ON CONFLICT DO UPDATE fires the triggers before an insert as well.
    await runner.query(`
      CREATE FUNCTION keep_fx_rate_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO fx_rate_changes (change_number, day, currency, rate, source, set_by, set_at)
        VALUES (NEW.change_number, NEW.day, NEW.currency, NEW.rate, NEW.source, NEW.set_by, NEW.set_at);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_change AFTER INSERT OR UPDATE ON fx_rates
      FOR EACH ROW EXECUTE FUNCTION keep_fx_rate_change()`);
    await runner.query(`
      CREATE TRIGGER keep_rows BEFORE DELETE ON fx_rates
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON fx_rate_changes
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fx_rates, fx_rate_changes');
    await runner.query('DROP FUNCTION number_fx_rate_change, keep_fx_rate_change');
    await runner.query('DROP SEQUENCE fx_rate_change_number');
  }
}
