"""Hold what was published: releases, groups of them, differences and quotients."""
