/** Every starter's chance by its final odds, and the favourite as the main pick: what a dataset of runners needs. */
export const ODDS_AS_CHANCES = `
  insert into win_chance (race_id, model_id, horse_no, probability, reasons)
  select race_id, 'market-baseline', horse_no, (1 / win_odds) / sum(1 / win_odds) over (partition by race_id), ''
  from runner join race on race.id = runner.race_id
  where race.status = 'final' and runner.status <> 'withdrawn' and horse_no is not null and win_odds > 0;
  insert into prediction (race_id, model_id, gameplay_class, rank, combination, probability, selected, cautious, upset_guard)
  select distinct on (race_id) race_id, model_id, 1, 1, horse_no::text, probability, true, false, false
  from win_chance order by race_id, probability desc, horse_no;
  insert into settlement (race_id, model_id, gameplay_class, rank, outcome, profit_cents)
  select race_id, model_id, 1, 1, case when dividend_cents is null then 'miss' else 'hit' end, coalesce(dividend_cents, 0) - 1000
  from prediction left join dividend using (race_id, gameplay_class, combination);`
