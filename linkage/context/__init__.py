"""What a document says of its mentions: relations, roles, facts about people, marks of its matter."""
