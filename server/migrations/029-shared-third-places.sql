-- Quinella place pays on two horses that share the third place: such races are settled again.
update race set scoring = 'stale'
where status = 'final'
  and id in (select race_id from runner where place = 3 group by race_id having count(*) > 1);
