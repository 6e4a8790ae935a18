import { listPlans, type Plan, type PlanSetting, setPlan } from '@jetton-analytics/postgres';
import { Command, Option } from 'commander';
import { withDatabase } from '../database.js';
import {
  type CommonFlags,
  type Report,
  type Runner,
  type Session,
  wholeNumber,
  withCommonOptions,
} from '../session.js';
import { fields, table } from '../table.js';
import { changing } from './change.js';

interface SetFlags extends CommonFlags {
  readonly paid?: boolean;
  readonly perSecond?: number;
  readonly burst?: number;
  readonly perDay?: number;
}

const planJson = ({ name, paid, requestsPerSecond, burst, requestsPerDay, setBy, setAt }: Plan) => ({
  name,
  paid,
  requestsPerSecond,
  burst,
  requestsPerDay,
  setBy,
  setAt: setAt.toISOString(),
});

const head = ['plan', 'paid', 'per second', 'burst', 'per day', 'set by', 'set at'];
const rowOf = (plan: Plan): string[] => [
  plan.name,
  plan.paid ? 'yes' : 'no',
  String(plan.requestsPerSecond),
  String(plan.burst),
  String(plan.requestsPerDay),
  plan.setBy,
  plan.setAt.toISOString(),
];

async function list(session: Session): Promise<Report> {
  const plans = await withDatabase(session, (database) => listPlans(database.manager));
  return { json: { plans: plans.map(planJson) }, lines: table(head, plans.map(rowOf)) };
}

async function set(session: Session, name: string, flags: SetFlags): Promise<Report> {
  const setting: PlanSetting = {
    name,
    ...(flags.paid !== undefined && { paid: flags.paid }),
    ...(flags.perSecond !== undefined && { requestsPerSecond: flags.perSecond }),
    ...(flags.burst !== undefined && { burst: flags.burst }),
    ...(flags.perDay !== undefined && { requestsPerDay: flags.perDay }),
    by: session.actor(),
    at: new Date(session.clock.now()),
  };
  const { before, after } = await changing(session, async (manager) => {
    const known = (await listPlans(manager)).find((plan) => plan.name === name);
    return { before: known, after: await setPlan(manager, setting) };
  });
  const { dryRun } = session;
  const what = before === undefined ? 'made' : 'changed';
  return {
    json: { before: before === undefined ? null : planJson(before), after: planJson(after), dryRun },
    lines: [
      ...fields([
        ['plan', name],
        [dryRun ? 'would be' : 'was', `${what} by ${setting.by}`],
      ]),
      '',
      ...table(
        ['', ...head.slice(1)],
        [...(before === undefined ? [] : [['before', ...rowOf(before).slice(1)]]), ['after', ...rowOf(after).slice(1)]],
      ),
    ],
  };
}

const number = (flag: string, what: string, max: number) =>
  new Option(`${flag} <n>`, what).argParser(wholeNumber(flag, 1, max));

/** `plans list|set`. */
export function plansCommand(run: Runner): Command {
  const plans = new Command('plans').description('what clients may do');
  withCommonOptions(plans.command('list').description('all plans'), { changes: false }).action((flags: CommonFlags) =>
    run(flags, list),
  );
  const setting = plans
    .command('set <name>')
    .description('change a plan, or make it; what is not given stays')
    .option('--paid', 'open the operations of paid plans')
    .option('--no-paid', 'close them')
    .addOption(number('--per-second', 'requests per second', 1_000_000))
    .addOption(number('--burst', 'requests at once after a pause, at least those per second', 10_000_000))
    .addOption(number('--per-day', 'requests per day', 2_147_483_647));
  withCommonOptions(setting, { changes: true }).action((name: string, flags: SetFlags) =>
    run(flags, (session) => set(session, name, flags)),
  );
  return plans;
}
