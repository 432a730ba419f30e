import type { Queries } from '../../db/database.ts'

/** What a customer's export contains, by its name there: every table with the customer's rows, except secrets. */
const EXPORTED = {
  account: `select account, phone, nickname, real_name, gender, customer_type, vip_start, vip_end, provider_since,
      inviter_id, provider_id, created_at from customer where id = $1::uuid`,
  balances: `select null::date as day, balance from voucher_wallet where customer_id = $1::uuid
    union all select day, balance from daily_voucher where customer_id = $1::uuid order by day`,
  pictures: `select id, media_type, created_at, '/sys/common/static/' || id || '.webp' as address
    from stored_file where customer_id = $1::uuid order by id`,
  vouchers: `select day, reason, amount, balance_before, balance_after, reference, created_at
    from voucher_ledger where customer_id = $1::uuid order by id`,
  subscriptions: `select race_id, paid_with, created_at
    from subscription where customer_id = $1::uuid order by created_at, race_id`,
  orders: `select id, plan_id, months, original_cents, amount_cents, state, created_at, paid_at, closed_at, refunded_at
    from vip_order where customer_id = $1::uuid order by id`,
  activations: `select activated_at, vip_start, vip_end, months, cancelled_at
    from vip_activation where customer_id = $1::uuid order by id`,
  shares: `select reward_amount, before_num, after_num, created_at
    from share_log where customer_id = $1::uuid order by id`,
  applications: `select account, nickname, name, phone, status, created_at, decided_at
    from provider_application where customer_id = $1::uuid order by id`,
  bankCards: `select name, bank, last_four, created_at, removed_at
    from bank_card where customer_id = $1::uuid order by id`,
  withdrawals: `select cents, state, created_at, decided_at
    from withdrawal where customer_id = $1::uuid order by id`,
  instalments: `select order_id, number, cents, settles_on, cancelled_at
    from instalment where provider_id = $1::uuid order by order_id, number`,
  visits: 'select page, channel, at from visit where customer_id = $1::uuid order by id',
  securityEvents: 'select kind, at from security_event where customer_id = $1::uuid order by at, id',
  analyticsTokens: `select name, created_at, last_used_at, revoked_at
    from analytics_token where customer_id = $1::uuid order by created_at`,
  savedViews: `select region_id, name, address, followed, threshold_measure, threshold_length, threshold_unit, threshold_side,
      threshold_value, digest, created_at, updated_at
    from saved_view where customer_id = $1::uuid order by region_id, position`,
  notes: `select note.region_id, horse_id, race_id, saved_view.name as saved_view, content, note.created_at, note.updated_at
    from note left join saved_view on saved_view.id = saved_view_id
    where note.customer_id = $1::uuid order by note.created_at, note.id`,
  follows:
    'select kind, target, created_at from follow where customer_id = $1::uuid order by created_at, kind, target',
  runnerMarks: `select race_id, horse_id, rating, odds, shortlisted, updated_at
    from runner_mark where customer_id = $1::uuid order by updated_at, race_id, horse_id`,
  alertSettings: `select language, array_to_string(site_kinds, ' ') as site_kinds, array_to_string(push_kinds, ' ') as push_kinds,
      array_to_string(email_kinds, ' ') as email_kinds, quiet_from, quiet_to, price_percent, price_below
    from alert_setting where customer_id = $1::uuid`,
  alertAddresses: 'select address, agreed_at, confirmed_at from alert_email where customer_id = $1::uuid',
  pushDevices: `select substring(endpoint from '^https?://[^/]+') as service, created_at
    from push_device where customer_id = $1::uuid order by created_at`,
  alerts: `select channel, kind, race_id, horse_id, state, created_at, delivered_at, read_at
    from alert where customer_id = $1::uuid order by created_at, id`,
  messages: `select content, answer_to, created_at, answered_at, (
      select coalesce(json_agg('/sys/common/static/' || file_id || '.webp' order by file_id), '[]')::text
      from message_picture where message_id = message.id) as pictures
    from message where customer_id = $1::uuid order by created_at, id`,
  frozenRules: `select region_id, name, address, universe, filter, rules, plan, frozen_at, ended_at, (
      select coalesce(json_agg(json_build_object('raceId', race_id, 'gameplayClass', gameplay_class,
        'combination', combination, 'odds', odds) order by race_id, gameplay_class, combination), '[]')::text
      from frozen_bet where rule_id = frozen_rule.id) as bets
    from frozen_rule where customer_id = $1::uuid order by frozen_at`,
  devices: 'select last_used_at from known_device where customer_id = $1::uuid order by last_used_at',
  signIns: `select created_at, last_used_at, revoked_at
    from access_token where customer_id = $1::uuid order by created_at`,
} as const

const NAMES = Object.keys(EXPORTED) as (keyof typeof EXPORTED)[]

/** All stored data of a customer, by table, except secrets. */
export async function readEverything({ rows }: Queries, id: string): Promise<Record<string, object[]>> {
  const everything: Record<string, object[]> = {}
  for (const name of NAMES) everything[name] = await rows<Record<string, unknown>>(EXPORTED[name], [id])
  return everything
}
