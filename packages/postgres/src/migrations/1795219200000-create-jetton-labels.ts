import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Labels of curators and their history. That no change is lost and that followers can trust the change numbers is the
 * database's work, so that it holds for the import, the admin's tool and a hand at psql alike.
 */
export class CreateJettonLabels1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE jetton_labels (
        address text PRIMARY KEY CHECK (address ~ '^-?[0-9]{1,10}:[0-9a-f]{64}$'),
        verification text NOT NULL CHECK (verification IN
          ('JVS_NONE', 'JVS_APPROVED', 'JVS_COMMUNITY_VERIFIED', 'JVS_VERIFIED', 'JVS_SCAM')),
        set_by text NOT NULL CHECK (set_by <> ''),
        set_at timestamptz NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        change_number bigint NOT NULL UNIQUE
      )`);
    await runner.query(`
      CREATE TABLE jetton_label_changes (
        change_number bigint PRIMARY KEY,
        address text NOT NULL,
        verification text NOT NULL,
        set_by text NOT NULL,
        set_at timestamptz NOT NULL,
        reason text NOT NULL
      )`);
    await runner.query('CREATE INDEX ON jetton_label_changes (address, change_number)');
    await runner.query('CREATE SEQUENCE jetton_label_change_number');
    // The lock lasts until the writer commits: otherwise a smaller number could become visible after a greater one, and
    // a reader that follows by number would miss it.
    await runner.query(`
      CREATE FUNCTION number_jetton_label_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('jetton_label_change_number'));
        NEW.change_number := nextval('jetton_label_change_number');
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER number_change BEFORE INSERT OR UPDATE ON jetton_labels
      FOR EACH ROW EXECUTE FUNCTION number_jetton_label_change()`);
    // After and not before: ON CONFLICT DO UPDATE fires the triggers before an insert as well.
    await runner.query(`
      CREATE FUNCTION keep_jetton_label_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO jetton_label_changes (change_number, address, verification, set_by, set_at, reason)
        VALUES (NEW.change_number, NEW.address, NEW.verification, NEW.set_by, NEW.set_at, NEW.reason);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_change AFTER INSERT OR UPDATE ON jetton_labels
      FOR EACH ROW EXECUTE FUNCTION keep_jetton_label_change()`);
    await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% of % is not allowed: its history must stay', TG_OP, TG_TABLE_NAME;
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_rows BEFORE DELETE ON jetton_labels
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON jetton_label_changes
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE jetton_labels, jetton_label_changes');
    await runner.query('DROP FUNCTION number_jetton_label_change, keep_jetton_label_change, refuse_change');
    await runner.query('DROP SEQUENCE jetton_label_change_number');
  }
}
