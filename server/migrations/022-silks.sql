-- The jockey's colours of a runner as the source prints them; an owner's colours differ from race to race with the owner.
alter table runner add column silks text;
