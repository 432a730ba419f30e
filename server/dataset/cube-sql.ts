/**
 * Totals of settled predictions by day, class, type, model and origin, which no figure mixes, once for each type that a prediction fills, and as type
 * 0 for all ten of a race. Void predictions count only as void; a stake counts where its profit is known.
 */
function totalsSql(into: string, dimensions: readonly string[]): string {
  const by = [...dimensions, 'prediction_type']
  return `
    INSERT INTO ${into} BY NAME
    SELECT ${by.join(', ')},
      count(*)::INTEGER AS predictions,
      count(*) FILTER (WHERE outcome = 'hit')::INTEGER AS hits,
      count(*) FILTER (WHERE outcome = 'void')::INTEGER AS voids,
      count(*) FILTER (WHERE profit_cents IS NULL)::INTEGER AS unknown,
      count(*) FILTER (WHERE profit_cents IS NULL AND outcome = 'hit')::INTEGER AS unknown_hits,
      1000 * count(*) FILTER (WHERE profit_cents IS NOT NULL AND outcome <> 'void') AS stake_cents,
      coalesce(sum(profit_cents), 0)::BIGINT AS profit_cents,
      coalesce(sum(random_chance) FILTER (WHERE outcome <> 'void'), 0) AS random_hits
    FROM (
      SELECT *, unnest(list_filter(
        [0, CASE WHEN selected THEN 1 END, CASE WHEN cautious THEN 2 END, CASE WHEN upset_guard THEN 3 END],
        lambda type: type IS NOT NULL))::TINYINT AS prediction_type
      FROM record.prediction
    )
    GROUP BY ${by.join(', ')}
    ORDER BY ${by.join(', ')}`
}

export const ACCURACY_DAY_SQL = totalsSql('racing.accuracy_day', [
  'race_date',
  'gameplay_class',
  'model_key',
  'origin',
])
export const ACCURACY_CUBE_SQL = totalsSql('record.accuracy_cube', [
  'race_date',
  'stadium_key',
  'gameplay_class',
  'model_key',
  'origin',
])
