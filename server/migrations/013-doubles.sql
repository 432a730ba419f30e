-- Doubles had the pool's own numbered name, and so were not shown among a race's dividends.
update dividend set pool = 'double', gameplay_class = 10
where gameplay_class is null and pool like '第%口孖寶' and (combination = '' or combination ~ '^(F|[0-9]{1,2}(,[0-9]{1,2})*)/(F|[0-9]{1,2}(,[0-9]{1,2})*)$');
