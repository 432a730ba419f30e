-- A second model without odds, a challenger of the first: no race shows it first.
insert into model (id, key) values ('network', 4);
